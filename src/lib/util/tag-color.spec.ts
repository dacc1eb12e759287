import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { TAG_COLORS, tagColorOf } from './tag-color.js';

const sheet = (name: string): string => readFileSync(join('src', 'web', 'assets', name), 'utf8');

/** Returns the relative luminance of a color (WCAG 2.2). */
function luminance(hex: string): number {
  const full = hex.length === 4 ? [...hex.slice(1)].map((one) => one + one).join('') : hex.slice(1);
  const [red = 0, green = 0, blue = 0] = [0, 2, 4]
    .map((at) => parseInt(full.slice(at, at + 2), 16) / 255)
    .map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const backgrounds = [...sheet('colors.css').matchAll(/--(?:paper|tint): (#[\da-f]+);/g)].map(
  ([, color = '']) => color,
);

const shownAs = (color: string): string =>
  new RegExp(`\\.tag-${color} \\{\\s+background: (#[\\da-f]{6});`).exec(
    sheet('tag-colors.css'),
  )?.[1] ?? '';

describe('the color of a tag', () => {
  it.each(TAG_COLORS)('%s has a contrast of at least 3 to all backgrounds', (color) => {
    expect(backgrounds.length).toBeGreaterThanOrEqual(8);
    expect(Math.min(...backgrounds.map((one) => contrast(shownAs(color), one)))).toBeGreaterThan(3);
  });

  it('has one of the known names', () => {
    expect(tagColorOf('teal')).toBe('teal');
    expect(['Teal', 'none', '', undefined, ['red'], 'toString'].map(tagColorOf)).toEqual(
      Array.from({ length: 6 }),
    );
  });
});
