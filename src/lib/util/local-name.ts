/**
 * Matches host names that belong to the local machine or the local network (RFC 6761, RFC 6762 with appendix G, RFC
 * 7686, RFC 8375, ICANN's .internal). The public DNS does not contain them.
 */
const LOCAL_NAME =
  /\.(?:localhost|local|localdomain|internal|intranet|private|corp|home|lan|home\.arpa|onion)$/;

/** Returns true for a host name in lower case in a domain of the local machine or network, such as `nas.local`. */
export const isLocalName = (host: string): boolean => LOCAL_NAME.test(host);
