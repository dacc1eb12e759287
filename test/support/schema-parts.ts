/** Lists all schema objects except TypeORM's migrations table. */
export const SCHEMA = `
  SELECT 'relation' AS kind, c.relname::text AS name, c.relkind::text || c.relpersistence::text AS detail
    FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace
  UNION ALL
  SELECT 'column', a.attrelid::regclass::text || '.' || a.attname,
         concat_ws(' ', format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity::text,
                   pg_get_expr(d.adbin, d.adrelid))
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
    LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0
      AND NOT a.attisdropped
  UNION ALL
  SELECT 'constraint', conname::text, conrelid::regclass::text || ' ' || pg_get_constraintdef(oid)
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace
  UNION ALL
  SELECT 'index', indexname::text, indexdef FROM pg_indexes WHERE schemaname = 'public'
  UNION ALL
  SELECT 'type', typname::text, typtype::text FROM pg_type WHERE typnamespace = 'public'::regnamespace
  UNION ALL
  SELECT 'function', proname::text, prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace
  UNION ALL
  SELECT 'trigger', tgname::text, tgrelid::regclass::text FROM pg_trigger WHERE NOT tgisinternal
  UNION ALL
  SELECT 'extension', extname::text, extversion FROM pg_extension
  ORDER BY 1, 2, 3`;
