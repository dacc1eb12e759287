/** The file is no backup that can be taken, or the database is not one to take it; nothing was changed. */
export class RestoreRefusedError extends Error {}
