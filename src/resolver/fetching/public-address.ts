import { isIP } from 'node:net';

import ipaddr from 'ipaddr.js';

/** Part of the "unicast" of ipaddr.js, yet a door to something else. */
const AZURE_WIRE_SERVER = '168.63.129.16';
const GLOBAL_UNICAST_V6 = ipaddr.IPv6.parseCIDR('2000::/3');
/** IPv4 in disguise (6to4), and protocol assignments such as Teredo. */
const NOT_FOR_PAGES_V6 = ['2002::/16', '2001::/23'].map((range) => ipaddr.IPv6.parseCIDR(range));

/** `::1.2.3.4`, which ipaddr.js reads as if it were `::ffff:1.2.3.4`. */
export const IPV4_COMPATIBLE = /^[0:]+:\d+\./;

/** An address of the public internet. What is not known to be one is none. */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0 || text.includes('%') || IPV4_COMPATIBLE.test(text)) {
    return false;
  }
  const address = ipaddr.process(text);
  if (address.range() !== 'unicast') {
    return false;
  }
  if (address instanceof ipaddr.IPv4) {
    return address.toString() !== AZURE_WIRE_SERVER;
  }
  return (
    address.match(GLOBAL_UNICAST_V6) && !NOT_FOR_PAGES_V6.some((range) => address.match(range))
  );
}
