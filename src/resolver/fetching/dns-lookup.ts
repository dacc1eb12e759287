import { lookup as systemLookup, Resolver } from 'node:dns/promises';

/** All addresses of a host name, or a rejection with the code of the DNS error. */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

const LIMITS = { timeout: 1500, tries: 2 };

/**
 * Asks the name servers of the system, and nothing else: a name of /etc/hosts is none of the internet. Unlike getaddrinfo
 * it holds no thread while a name server keeps silent, so names that never answer delay no other name.
 */
export function dnsLookup(servers?: readonly string[]): Lookup {
  return async (hostname) => {
    const resolver = new Resolver(LIMITS);
    if (servers !== undefined) {
      resolver.setServers(servers);
    }
    const answers = await Promise.allSettled([
      resolver.resolve4(hostname),
      resolver.resolve6(hostname),
    ]);
    const addresses = answers.flatMap((answer) =>
      answer.status === 'fulfilled' ? answer.value : [],
    );
    return addresses.length > 0 ? addresses : await withoutAnswer(hostname, answers);
  };
}

/** Where no name server can be reached at all (some phones, some sandboxes), the system may know another way. */
async function withoutAnswer(
  hostname: string,
  answers: readonly PromiseSettledResult<string[]>[],
): Promise<readonly string[]> {
  const errors = answers.flatMap((answer): unknown[] =>
    answer.status === 'rejected' ? [answer.reason] : [],
  );
  if (errors.length > 0 && errors.every((error) => codeOf(error) === 'ECONNREFUSED')) {
    const found = await systemLookup(hostname, { all: true });
    return found.map(({ address }) => address);
  }
  throw worst(errors);
}

/** A server that failed for one family may have an answer later, whatever it said of the other. */
function worst(errors: readonly unknown[]): unknown {
  return errors.find((error) => !isFinal(error)) ?? errors[0];
}

/** The name does not exist, or has no address. */
export const isFinal = (error: unknown): boolean =>
  ['ENOTFOUND', 'ENODATA', 'EAI_NONAME', 'EBADNAME'].includes(codeOf(error));

/** The code of a system error; empty when it has none. */
export const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : '';
