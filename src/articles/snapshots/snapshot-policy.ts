/** The content security policy of a snapshot: it shows data that it contains, and loads nothing. */
export const SNAPSHOT_POLICY = [
  `default-src 'none'`,
  `img-src data:`,
  `font-src data:`,
  `style-src 'unsafe-inline'`,
  `base-uri 'none'`,
  `form-action 'none'`,
].join('; ');
