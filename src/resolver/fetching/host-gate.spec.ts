import { HostGate } from './host-gate.js';

describe('the gate of hosts', () => {
  it('lets two in at one host, and the next when one has left', () => {
    const gate = new HostGate();

    expect([1, 2, 3].map(() => gate.enter('a', 0))).toEqual(['in', 'in', { notBeforeMs: 0 }]);
    gate.leave('a');
    expect(gate.enter('a', 0)).toBe('in');
  });

  it('lets so many in overall', () => {
    const gate = new HostGate({ perHost: 2, overall: 3 });

    const outcomes = ['a', 'b', 'c', 'd'].map((host) => gate.enter(host, 0));

    expect(outcomes).toEqual(['in', 'in', 'in', { notBeforeMs: 0 }]);
    gate.leave('a');
    expect(gate.enter('d', 0)).toBe('in');
  });

  it('counts nobody out who was not in', () => {
    const gate = new HostGate({ perHost: 1, overall: 1 });
    gate.enter('a', 0);

    gate.leave('b');
    gate.leave('a');
    gate.leave('a');

    expect(gate.enter('b', 0)).toBe('in');
    expect(gate.enter('c', 0)).not.toBe('in');
  });

  it('keeps shut while a host rests, as long as it asked', () => {
    const gate = new HostGate();
    gate.rest('a', 1000, 60);

    expect(gate.enter('a', 60_999)).toEqual({ notBeforeMs: 61_000 });
    expect(gate.enter('b', 1000)).toBe('in');
    expect(gate.enter('a', 61_000)).toBe('in');
  });

  it('lets a host rest longer each time it does not say how long, until it answers', () => {
    const gate = new HostGate();
    const restedMs = (): number => {
      gate.rest('a', 0);
      const outcome = gate.enter('a', 0);
      return outcome === 'in' ? 0 : outcome.notBeforeMs;
    };

    expect([restedMs(), restedMs(), restedMs()]).toEqual([30_000, 60_000, 120_000]);
    gate.answered('a');
    gate.rest('a', 200_000);
    expect(gate.enter('a', 200_000)).toEqual({ notBeforeMs: 230_000 });
  });

  it('never shortens a rest', () => {
    const gate = new HostGate();
    gate.rest('a', 0, 100);
    gate.rest('a', 0, 1);

    expect(gate.enter('a', 50_000)).toEqual({ notBeforeMs: 100_000 });
  });

  it('forgets hosts that nobody visits', () => {
    const gate = new HostGate({ perHost: 2, overall: 10_000 });
    for (let i = 0; i < 5000; i += 1) {
      gate.enter(`host-${i}`, i);
      gate.leave(`host-${i}`);
    }

    expect(gate.size).toBeLessThan(5);
  });
});
