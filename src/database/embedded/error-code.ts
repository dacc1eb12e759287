/** The code of a system or PostgreSQL error, such as ENOENT or 53300. */
export const errorCode = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
