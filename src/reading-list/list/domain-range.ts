export interface KeyRange {
  readonly from: string;
  readonly below: string;
}

/**
 * The values of `items.site` of a host and its subdomains. A site is the host backwards and a slash, and the
 * slash follows the dot in the order of the alphabet, so that the host and its subdomains are neighbours.
 */
export function domainRange(domain: string): KeyRange {
  const backwards = Array.from(domain).reverse().join('');
  return { from: `${backwards}.`, below: `${backwards}0` };
}
