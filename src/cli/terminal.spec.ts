import { table } from './terminal.js';

/** Characters that control a terminal, and characters that reorder or hide text. */
const HOSTILE = ['\u001b[2J', '\u009b2J', '\u0007', '\r', '\n', '\t', '\u007f', '\u202e', '\u200b'];

describe('table', () => {
  it('aligns its columns and ends no line in white space', () => {
    const text = table(
      ['id', 'name'],
      [
        ['1', 'A'],
        ['22', 'A longer name'],
      ],
    );

    expect(text.split('\n')).toEqual(['id  name', '1   A', '22  A longer name']);
  });

  it('shows the head alone when there is nothing', () => {
    expect(table(['id', 'name'], [])).toBe('id  name');
  });

  it.each(HOSTILE)('does not print %j as it is', (text) => {
    const printed = table(['name', 'state'], [[`Reader${text}x`, 'enabled']]);

    expect(printed.split('\n')).toHaveLength(2);
    expect(printed.replaceAll('\n', '')).not.toMatch(/\p{C}/u);
    expect(printed).toContain('enabled');
  });

  it('has no colours', () => {
    expect(table(['id'], [['1']])).not.toContain('\u001b');
  });

  it('shows letters of every script', () => {
    expect(table(['name'], [['Ünïcödé 読書 🐘']])).toContain('Ünïcödé 読書 🐘');
  });
});
