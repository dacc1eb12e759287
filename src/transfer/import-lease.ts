/**
 * Longer than a batch of rows takes; a lease that ends is one whose holder has crashed, or was held up: then it writes
 * nothing any more.
 */
export const IMPORT_LEASE = `interval '15 seconds'`;

export const RENEW_EVERY_MS = 5000;
