/** For jest.useFakeTimers, the intervals alone: the database's client lives by the other timers. */
export const INTERVALS_ONLY = {
  doNotFake: [
    ...(['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const),
    ...(['setImmediate', 'clearImmediate', 'setTimeout', 'clearTimeout'] as const),
  ],
};
