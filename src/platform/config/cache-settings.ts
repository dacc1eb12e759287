import { WholeNumber } from './environment.decorators.js';
import { LinkCheckSettings, linkCheckSettings, LinkCheckVariables } from './link-check-settings.js';

/** The environment variables for caches. */
export abstract class CacheVariables extends LinkCheckVariables {
  @WholeNumber(0, 100_000)
  readonly ANSWER_CACHE_MB: number = 32;

  @WholeNumber(0, 100_000)
  readonly ITEM_CACHE_MB: number = 16;

  @WholeNumber(0, 1_000_000)
  readonly IMAGE_CACHE_MB: number = 500;
}

/** The maximum sizes of the caches in megabytes. 0 disables a cache. */
export abstract class CacheSettings extends LinkCheckSettings {
  /** The maximum memory for cached responses to `get`. */
  abstract readonly answerCacheMegabytes: number;
  /** The maximum memory for cached items. */
  abstract readonly itemCacheMegabytes: number;
  /** The maximum size of all article images in the data directory. */
  abstract readonly imageCacheMegabytes: number;
}

export const cacheSettings = (
  variables: CacheVariables,
): Pick<CacheSettings, keyof CacheSettings> => ({
  ...linkCheckSettings(variables),
  answerCacheMegabytes: variables.ANSWER_CACHE_MB,
  itemCacheMegabytes: variables.ITEM_CACHE_MB,
  imageCacheMegabytes: variables.IMAGE_CACHE_MB,
});
