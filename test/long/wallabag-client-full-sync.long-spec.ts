import { describeFullSync } from '../support/wallabag-clients/full-sync.js';

describeFullSync(10_000);
