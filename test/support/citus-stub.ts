/**
 * Replaces Citus, which is not part of PostgreSQL, with its catalog and functions. They record their calls and raise
 * the errors that the Citus documentation lists. No rows are copied; truncating local data works.
 */
export const CITUS = `
  CREATE TABLE pg_dist_partition (logicalrelid regclass, partkey text, beside text);
  CREATE TABLE told (place int GENERATED ALWAYS AS IDENTITY, said text);
  CREATE FUNCTION column_to_column_name(regclass, text) RETURNS text LANGUAGE sql AS 'SELECT $2';
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
