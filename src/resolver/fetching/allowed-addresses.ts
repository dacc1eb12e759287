import { isIP } from 'node:net';

import ipaddr from 'ipaddr.js';

import { IPV4_COMPATIBLE, isPublicAddress } from './public-address.js';

/** Tells of an address whether it is public, or one of the networks (or single addresses) that an operator has named. */
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

const isPlain = (text: string): boolean =>
  isIP(text) !== 0 && !text.includes('%') && !IPV4_COMPATIBLE.test(text);

function isInAny(text: string, subnets: readonly Subnet[]): boolean {
  const address = ipaddr.process(text);
  return subnets.some(
    ([subnet, bits]) => address.kind() === subnet.kind() && address.match(subnet, bits),
  );
}
