/**
 * The functions that load what styles refer to. Both return undefined for something that cannot be loaded.
 * @typedef {object} Loader
 * @property {(url: string) => Promise<string | undefined>} data Returns a picture or a font as a `data:` address.
 * @property {(url: string) => Promise<string | undefined>} sheet Returns the text of a style sheet.
 */

/** The maximum depth of style sheets that import others. */
const MOST_IMPORTS = 5;

/** Matches comments, strings, addresses and imports. */
const TOKENS =
  /\/\*[^]*?\*\/|@import\b(?:"[^"]*"|'[^']*'|\((?:[^()]|\([^()]*\))*\)|[^"'();])*;|\burl\((?:"[^"]*"|'[^']*'|[^"')])*\)|"(?:\\[^]|[^"\\])*"|'(?:\\[^]|[^'\\])*'/gi;

/**
 * Returns styles with everything that they load as `data:` addresses, and with the style sheets that they import.
 * @param {string} css
 * @param {string} base The address to which the addresses in the styles are relative.
 * @param {Loader} loader
 * @param {number} [depth]
 * @returns {Promise<string>}
 */
export async function inlinedStyles(css, base, loader, depth = 0) {
  const found = [...css.matchAll(TOKENS)];
  const texts = await Promise.all(
    found.map(async ([token]) => {
      if (/^@import/i.test(token)) {
        return depth < MOST_IMPORTS ? importedStyles(token, base, loader, depth) : '';
      }
      return /^url\(/i.test(token) ? inlinedAddress(token, base, loader) : withoutComment(token);
    }),
  );
  let end = 0;
  const pieces = found.map((match, at) => {
    const piece = css.slice(end, match.index) + (texts[at] ?? '');
    end = match.index + match[0].length;
    return piece;
  });
  return pieces.join('') + css.slice(end);
}

/** @param {string} token */
const withoutComment = (token) => (token.startsWith('/*') ? '' : token);

/**
 * @param {string} token Such as `url("a.png")`.
 * @param {string} base
 * @param {Loader} loader
 */
async function inlinedAddress(token, base, loader) {
  const address = unquoted(token.slice('url('.length, -1));
  if (/^(?:data:|#|$)/i.test(address)) {
    return token;
  }
  const data = await loader.data(absolute(address, base));
  return data === undefined ? 'url()' : `url("${data}")`;
}

/**
 * @param {string} token Such as `@import url("a.css") layer(base) screen;`.
 * @param {string} base
 * @param {Loader} loader
 * @param {number} depth
 */
async function importedStyles(token, base, loader, depth) {
  const body = token.slice('@import'.length, -1).trim();
  const [written = ''] = /^(?:url\([^)]*\)|"[^"]*"|'[^']*')/i.exec(body) ?? [];
  const isFunction = /^url\(/i.test(written);
  const url = absolute(unquoted(isFunction ? written.slice('url('.length, -1) : written), base);
  const css = written === '' ? undefined : await loader.sheet(url);
  if (css === undefined) {
    return '';
  }
  const styles = await inlinedStyles(css, url, loader, depth + 1);
  return conditional(styles, body.slice(written.length).trim());
}

/**
 * @param {string} styles
 * @param {string} condition Such as `layer(base) supports(display: grid) screen`.
 */
function conditional(styles, condition) {
  const [layer, rest] = beginning(/^layer(?:\(([^)]*)\))?/i, condition);
  const [feature, media] = beginning(/^supports\(((?:[^()]|\([^()]*\))*)\)/i, rest);
  const inMedia = media === '' ? styles : within(['@media', media], styles);
  const supported =
    feature === undefined ? inMedia : within(['@supports', `(${feature})`], inMedia);
  return layer === undefined ? supported : within(['@layer', layer], supported);
}

/**
 * @param {readonly string[]} rule
 * @param {string} styles
 */
const within = (rule, styles) => `${rule.join(' ')} {${styles}}`;

/**
 * Returns the text in the parentheses of a condition, and the conditions after it.
 * @param {RegExp} pattern
 * @param {string} condition
 * @returns {[inside: string | undefined, rest: string]}
 */
function beginning(pattern, condition) {
  const found = pattern.exec(condition);
  return found === null
    ? [undefined, condition]
    : [found[1] ?? '', condition.slice(found[0].length).trim()];
}

/** @param {string} written */
const unquoted = (written) => written.trim().replace(/^["']|["']$/g, '');

/**
 * @param {string} address
 * @param {string} base
 */
function absolute(address, base) {
  try {
    return new URL(address, base).href;
  } catch {
    return '';
  }
}
