import { endWatch, isBlind, takeOffences, watchPlans } from '../watched-plans.js';

beforeAll(watchPlans);

afterAll(() => {
  endWatch();
  expect(takeOffences()).toEqual([]);
  // A file that uses a database must have seen statements of the service. Otherwise the check proves nothing.
  expect({ isBlind: isBlind() }).toEqual({ isBlind: false });
});
