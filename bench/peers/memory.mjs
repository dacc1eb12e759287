import { readFileSync } from 'node:fs';

/** Returns the memory of these processes and their descendants in MB. Shared pages count proportionally. Linux only. */
export function memoryOf(pids) {
  return pids.reduce((sum, pid) => {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    const own = Number(/^Pss:\s*(\d+)/m.exec(text)[1]) / 1024;
    return sum + own + memoryOf(children === '' ? [] : children.split(' '));
  }, 0);
}
