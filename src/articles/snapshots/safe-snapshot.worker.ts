import { safeSnapshot } from './safe-snapshot.js';

export default safeSnapshot;
