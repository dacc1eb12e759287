const POLICY = [
  `default-src 'none'`,
  `style-src 'self'`,
  `img-src 'self'`,
  `base-uri 'none'`,
  `frame-ancestors 'none'`,
];

/** Nothing runs in a page, and its forms go to this service. */
export const PAGE_POLICY = [...POLICY, `form-action 'self'`].join(';');

/**
 * For the form that ends in a redirect to an application. Browsers hold `form-action` against every hop behind a
 * form, and an application on the web may send the person on to a scheme of its own.
 */
export const LEAVING_POLICY = POLICY.join(';');
