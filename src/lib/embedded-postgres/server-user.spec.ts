import { runAs } from './server-user.js';

const onPosix = process.platform === 'win32' ? it.skip : it;

describe('runAs', () => {
  onPosix('throws the last lines that a failed program printed', async () => {
    const script = 'for i in 1 2 3 4 5 6 7 8; do echo "line $i" >&2; done; exit 3';

    await expect(runAs({}, '/bin/sh', ['-c', script])).rejects.toMatchObject({
      message: 'sh: line 3\nline 4\nline 5\nline 6\nline 7\nline 8',
      code: 3,
    });
  });

  onPosix('throws the output of a program that prints its errors there', async () => {
    await expect(runAs({}, '/bin/sh', ['-c', 'echo why; exit 1'])).rejects.toThrow('sh: why');
  });

  it('throws the reason for which a program does not start', async () => {
    await expect(runAs({}, '/nowhere/initdb', [])).rejects.toMatchObject({
      message: expect.stringMatching(/^initdb: .*ENOENT/),
      code: 'ENOENT',
    });
  });
});
