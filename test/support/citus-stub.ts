/**
 * Replaces Citus, which is not part of PostgreSQL, with its catalog and functions. They record their calls and raise
 * the errors that the Citus documentation lists. No rows are copied; truncating local data works.
 */
export const CITUS = `
  CREATE TABLE pg_dist_partition (logicalrelid regclass, partkey text, beside text);
  CREATE TABLE told (place int GENERATED ALWAYS AS IDENTITY, said text);
  CREATE FUNCTION column_to_column_name(regclass, text) RETURNS text LANGUAGE sql AS 'SELECT $2';
  CREATE TABLE workers (nodename text, nodeport int, success boolean);
  INSERT INTO workers VALUES ('worker-1', 5432, true), ('worker-2', 5432, true);
  CREATE FUNCTION run_command_on_workers(command text)
    RETURNS TABLE (nodename text, nodeport int, success boolean, result text) LANGUAGE sql AS $$
    SELECT nodename, nodeport, success, CASE
      WHEN NOT success THEN 'failed to connect'
      WHEN command LIKE '%lock_timeout%' AND 'lock_timeout=2s' = ANY (SELECT unnest(setconfig) FROM pg_db_role_setting
        WHERE setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())) THEN '2s 10s'
      ELSE '0 0' END
    FROM workers $$;
  CREATE FUNCTION citus_add_local_table_to_metadata(name regclass) RETURNS void LANGUAGE sql AS
    'INSERT INTO pg_dist_partition VALUES (name, NULL); INSERT INTO told (said) VALUES (name)';
  CREATE FUNCTION create_distributed_function(name text) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN PERFORM name::regprocedure; INSERT INTO told (said) VALUES (name); END $$;
  CREATE FUNCTION create_reference_table(name regclass) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN INSERT INTO pg_dist_partition VALUES (name, NULL); INSERT INTO told (said) VALUES (name); END $$;
  CREATE FUNCTION create_distributed_table(name regclass, key text, colocate_with text DEFAULT 'default')
    RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      IF EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = name) THEN
        RAISE 'table % is already distributed', name;
      END IF;
      IF EXISTS (SELECT FROM pg_index WHERE indrelid = name AND indisunique
          AND NOT (SELECT attnum FROM pg_attribute WHERE attrelid = name AND attname = key) = ANY (indkey)) THEN
        RAISE 'a unique key of % does not include the distribution column', name;
      END IF;
      IF EXISTS (SELECT FROM pg_constraint WHERE contype = 'f' AND conrelid = name
          AND confrelid NOT IN (SELECT logicalrelid FROM pg_dist_partition)) THEN
        RAISE '% refers to a table that is not distributed', name;
      END IF;
      INSERT INTO pg_dist_partition VALUES (name, key, colocate_with);
      INSERT INTO told (said) VALUES (name);
    END $$;
  CREATE FUNCTION truncate_local_data_after_distributing_table(name regclass) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      IF EXISTS (SELECT FROM pg_constraint WHERE contype = 'f' AND confrelid = name
          AND conrelid NOT IN (SELECT logicalrelid FROM pg_dist_partition)) THEN
        RAISE 'a local table refers to %', name;
      END IF;
      EXECUTE format('TRUNCATE %s CASCADE', name);
      INSERT INTO told (said) VALUES (name);
    END $$;`;
