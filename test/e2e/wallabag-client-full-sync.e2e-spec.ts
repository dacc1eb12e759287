import { describeFullSync } from '../support/wallabag-clients/full-sync.js';

describeFullSync(1_000);
