import {
  DEFAULT_FETCH_SETTINGS,
  type FetchSettings,
  type HostLimits,
} from '../../src/platform/fetching/fetch-settings.js';
import type { Network } from '../../src/platform/fetching/guarded-agent.js';
import { PageFetcher } from '../../src/platform/fetching/page-fetcher.js';
import { allowPlayed, PUBLIC_ADDRESS, type PublicHost } from './public-host.js';

export const NOW = new Date('2026-03-01T12:00:00Z');

/** Only tests of the deadline may reach it. A busy machine takes far less than two minutes. */
const DEADLINE_MS = 120_000;

/** Returns a fetcher that resolves every name below `.example` to one host. */
export function aFetcher(
  host: PublicHost,
  {
    network = {},
    hosts,
    ...settings
  }: Partial<FetchSettings> & { network?: Partial<Network>; hosts?: HostLimits } = {},
): PageFetcher {
  const clock = { now: () => NOW };
  const lookup = (name: string): Promise<readonly string[]> =>
    name.endsWith('.example')
      ? Promise.resolve([PUBLIC_ADDRESS])
      : Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }));
  return new PageFetcher(
    clock,
    {
      ...DEFAULT_FETCH_SETTINGS,
      ports: new Set([80, 443, host.port]),
      userAgent: 'Satchel/test',
      deadlineMs: DEADLINE_MS,
      ...settings,
    },
    { lookup, allow: allowPlayed, ...network },
    hosts,
  );
}
