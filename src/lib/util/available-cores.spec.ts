import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { availableCores, coresOfGroup } from './available-cores.js';

type Files = Readonly<Record<string, string>>;

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'satchel-cores-'));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

/** Creates the files that a process sees: its line in /proc, and the files of control groups below /sys/fs/cgroup. */
function machine(line: string, groups: Files): string {
  const files = Object.entries(groups).map(([name, text]) => [`sys/fs/cgroup/${name}`, text]);
  for (const [name = '', text = ''] of [['proc/self/cgroup', line], ...files]) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), `${text}\n`);
  }
  return root;
}

const SYSTEMD = '0::/system.slice/satchel.service';
const FIRST = '12:memory:/a\n4:cpu,cpuacct:/a\n1:name=systemd:/a';

const ofFirst = (group: string, quota: string, period = '100000'): Files => ({
  [`cpu${group}/cpu.cfs_quota_us`]: quota,
  [`cpu${group}/cpu.cfs_period_us`]: period,
});

describe('the cores that a control group grants', () => {
  it.each<[string, number, string, Files]>([
    ['a container of one core', 1, '0::/', { 'cpu.max': '100000 100000' }],
    ['a part of a core more', 2, '0::/', { 'cpu.max': '150000 100000' }],
    ['a part of a core', 1, '0::/', { 'cpu.max': '2000 10000' }],
    ['a container without a limit', Infinity, '0::/', { 'cpu.max': 'max 100000' }],
    [
      'a service with a limit of its own',
      3,
      SYSTEMD,
      { 'system.slice/satchel.service/cpu.max': '300000 100000' },
    ],
    [
      'a limit around the group that is less',
      2,
      SYSTEMD,
      {
        'system.slice/satchel.service/cpu.max': '400000 100000',
        'system.slice/cpu.max': '200000 100000',
      },
    ],
    ['a group that is not mounted', 4, '0::/../other', { 'cpu.max': '400000 100000' }],
    ['no file', Infinity, '0::/', {}],
    ['another text', Infinity, '0::/', { 'cpu.max': '' }],
  ])('of version 2: %s', (_, cores, line, groups) => {
    expect(coresOfGroup(machine(line, groups))).toBe(cores);
  });

  it.each<[string, number, string, Files]>([
    ['a group', 2, FIRST, ofFirst('/a', '200000')],
    ['without a limit', Infinity, FIRST, ofFirst('/a', '-1')],
    ['a container that is named as the machine names it', 1, FIRST, ofFirst('', '10000', '10000')],
    ['beside one of version 2', 1, `${FIRST}\n0::/`, ofFirst('/a', '50000')],
    ['groups of other controllers', Infinity, '2:cpuset:/a', ofFirst('/a', '50000')],
  ])('of version 1: %s', (_, cores, line, groups) => {
    expect(coresOfGroup(machine(line, groups))).toBe(cores);
  });

  it('are without limit on a system that has none', () => {
    expect(coresOfGroup(root)).toBe(Infinity);
  });
});

describe('the cores of this process', () => {
  it('are those that the group grants', () => {
    expect(availableCores(machine('0::/', { 'cpu.max': '1 100000' }))).toBe(1);
  });

  it('are no more than it is bound to', () => {
    const many = availableParallelism() + 1;
    expect(availableCores(machine('0::/', { 'cpu.max': `${many}00000 100000` }))).toBe(many - 1);
  });
});
