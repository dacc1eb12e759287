import { isIP } from 'node:net';

import ipaddr from 'ipaddr.js';

/** The address of an internal service of Azure. ipaddr.js reports it as "unicast", like public addresses. */
const AZURE_WIRE_SERVER = '168.63.129.16';
const GLOBAL_UNICAST_V6 = ipaddr.IPv6.parseCIDR('2000::/3');
/**
 * IPv6 networks without public web pages: 6to4, which contains IPv4 addresses, and protocol assignments such as Teredo.
 */
const NOT_FOR_PAGES_V6 = ['2002::/16', '2001::/23'].map((range) => ipaddr.IPv6.parseCIDR(range));

/** Matches addresses such as `::1.2.3.4`, which ipaddr.js wrongly parses as `::ffff:1.2.3.4`. */
const IPV4_COMPATIBLE = /^[0:]+:\d+\./;

/** Returns true if an IP address is known to belong to the public internet. */
export function isPublicAddress(text: string): boolean {
  if (!isPlain(text)) {
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

const isPlain = (text: string): boolean =>
  isIP(text) !== 0 && !text.includes('%') && !IPV4_COMPATIBLE.test(text);

/** Returns a function that accepts public addresses, and addresses in the networks that the operator allows. */
export function allowing(networks: readonly string[]): (address: string) => boolean {
  const subnets = networks.map(subnetOf);
  return (text) => isPublicAddress(text) || (isPlain(text) && isInAny(text, subnets));
}

type Subnet = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

function subnetOf(network: string): Subnet {
  if (network.includes('/')) {
    return ipaddr.parseCIDR(network);
  }
  const address = ipaddr.process(network);
  return [address, address instanceof ipaddr.IPv4 ? 32 : 128];
}

function isInAny(text: string, subnets: readonly Subnet[]): boolean {
  const address = ipaddr.process(text);
  return subnets.some(
    ([subnet, bits]) => address.kind() === subnet.kind() && address.match(subnet, bits),
  );
}
