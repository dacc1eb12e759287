import sanitize from 'sanitize-html';

import { MOST_LEVELS } from '../../lib/util/markup-limits.js';
import { safeStyles } from './safe-styles.js';
import { SNAPSHOT_POLICY } from './snapshot-policy.js';

const TAGS = (
  'html head body title style main header footer nav section article aside hgroup search address div span p br wbr hr pre ' +
  'h1 h2 h3 h4 h5 h6 blockquote q cite code kbd samp var em i strong b u s del ins sub sup small big mark abbr dfn time ' +
  'data center font tt strike ul ol li dl dt dd menu table caption colgroup col thead tbody tfoot tr th td figure ' +
  'figcaption picture img a details summary dialog ruby rt rp rb rtc bdi bdo form fieldset legend label input button ' +
  'select optgroup option textarea output meter progress slot template ' +
  'svg g path rect circle ellipse line polyline polygon text tspan textpath defs symbol use clippath mask pattern ' +
  'lineargradient radialgradient stop marker filter fegaussianblur feoffset feblend feflood fecolormatrix fecomposite ' +
  'femerge femergenode'
).split(' ');

/** Elements that are removed together with their content. */
const SILENT =
  'script noscript iframe frame frameset object embed applet noembed noframes xmp plaintext math base link meta'.split(
    ' ',
  );

const ATTRIBUTES = (
  'id class style lang dir title role hidden slot part name for width height align valign bgcolor color face size border ' +
  'cellpadding cellspacing colspan rowspan span scope headers nowrap alt src href target rel type value min max low high ' +
  'optimum checked disabled readonly selected multiple placeholder rows cols open start reversed datetime media label ' +
  'shadowrootmode viewbox preserveaspectratio d x y x1 y1 x2 y2 cx cy r rx ry fx fy dx dy points transform fill ' +
  'fill-rule fill-opacity stroke stroke-width stroke-linecap stroke-linejoin stroke-dasharray stroke-dashoffset ' +
  'stroke-miterlimit stroke-opacity opacity clip-path clip-rule mask filter offset stop-color stop-opacity ' +
  'gradientunits gradienttransform spreadmethod patternunits patterntransform patterncontentunits clippathunits ' +
  'maskunits markerwidth markerheight refx refy orient marker-start marker-mid marker-end font-family font-size ' +
  'font-weight text-anchor dominant-baseline letter-spacing xlink:href vector-effect paint-order stddeviation in in2 ' +
  'result mode values operator flood-color flood-opacity filterunits data-* aria-*'
).split(' ');

/** The names of custom elements, which do nothing without scripts. Names with this form in MathML and SVG are left out. */
const CUSTOM = /<([a-z][a-z0-9]*(?:-[a-z0-9]+)+)/gi;
const RESERVED = /^(?:annotation|color|font|missing)-/i;
const MOST_CUSTOM = 1000;

const LINK = /^\s*(?:https?:\/\/|mailto:)/i;
const FRAGMENT = /^#/;
const PICTURE = /^\s*data:image\//i;
/** Matches the elements whose text the sanitizer copies as it is. */
const RAW_ELEMENT = /(<(style|textarea)(?: [^>]*)?>)([^]*?)<\/\2>/g;
/** Matches attributes that never contain CSS. A backslash or a parenthesis in them is text. */
const TEXT_ATTRIBUTE =
  /^(?:(?:data|aria)-.*|class|id|name|for|slot|part|title|alt|label|placeholder|headers|d)$/;

/** Attributes that depend on their element, or that a snapshot writes itself. */
const HANDLED = new Set(['href', 'xlink:href', 'src', 'value', 'target', 'rel']);

type Attributes = Readonly<Record<string, string>>;

/**
 * Returns a snapshot as a document that any browser can safely show: without scripts, and without anything that loads
 * something from outside or sends something.
 * @throws Error if the elements are nested too deep
 */
export function safeSnapshot(html: string): string {
  const body = sanitize(html, {
    allowedTags: [...TAGS, ...customTags(html)],
    allowedAttributes: { '*': ATTRIBUTES },
    allowedSchemes: ['http', 'https', 'mailto', 'data'],
    allowProtocolRelative: false,
    allowVulnerableTags: true,
    nonBooleanAttributes: [],
    nonTextTags: SILENT,
    parseStyleAttributes: false,
    ...limitOfLevels(),
    transformTags: { '*': transformed },
  }).replace(
    RAW_ELEMENT,
    (_, tag: string, name: string, text: string) => `${tag}${safeText(name, text)}</${name}>`,
  );
  const doctype = /^\s*<!doctype html>/i.test(html) ? '<!doctype html>' : '';
  return `${doctype}<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${SNAPSHOT_POLICY}">${body}`;
}

/** The option `nestingLimit` would remove the tags of a deep `style` element, and keep its text as markup. */
function limitOfLevels(): Pick<sanitize.IOptions, 'onOpenTag' | 'onCloseTag'> {
  let depth = 0;
  return {
    onOpenTag: () => {
      depth += 1;
      if (depth > MOST_LEVELS) {
        throw new Error('The elements of the snapshot are nested too deep.');
      }
    },
    onCloseTag: () => {
      depth -= 1;
    },
  };
}

/** Escapes the text of a `textarea` or `style` element, because browsers parse it as markup if it is in a drawing. */
const safeText = (name: string, text: string): string =>
  name === 'style' ? safeStyles(text) : text.replaceAll('<', '&lt;');

function customTags(html: string): readonly string[] {
  const names = new Set<string>();
  for (const [, name = ''] of html.matchAll(CUSTOM)) {
    if (!RESERVED.test(name) && names.size < MOST_CUSTOM) {
      names.add(name.toLowerCase());
    }
  }
  return [...names];
}

function transformed(tagName: string, attributes: Attributes): sanitize.Tag {
  const kept = Object.entries(attributes).filter(([name]) => !HANDLED.has(name));
  const attribs = {
    ...withSafeStyles(kept),
    ...linkOf(tagName, attributes['href'] ?? attributes['xlink:href'] ?? ''),
    ...pictureOf(tagName, attributes['src'] ?? ''),
    ...valueOf(attributes),
  };
  return isHidden(tagName, attributes)
    ? { tagName: 'div', attribs: { ...attribs, hidden: '' } }
    : { tagName, attribs };
}

const pictureOf = (tagName: string, src: string): Attributes =>
  tagName === 'img' && PICTURE.test(src) ? { src } : {};

const valueOf = ({ type, value }: Attributes): Attributes =>
  value === undefined || /password/i.test(type ?? '') ? {} : { value };

/** Returns true for a template, except a shadow tree. Browsers do not show its content. */
const isHidden = (tagName: string, attributes: Attributes): boolean =>
  tagName === 'template' && attributes['shadowrootmode'] === undefined;

/** Cleans all attributes that can contain CSS: `style`, and the attributes of drawings, such as `fill`. */
const withSafeStyles = (attributes: readonly (readonly [string, string])[]): Attributes =>
  Object.fromEntries(
    attributes.map(([name, value]) => [
      name,
      TEXT_ATTRIBUTE.test(name) ? value : safeStyles(value),
    ]),
  );

/** Returns the address of a link, which opens a new tab, or the reference of a drawing to one of its parts. */
function linkOf(tagName: string, href: string): Attributes {
  if (FRAGMENT.test(href)) {
    return { href };
  }
  return tagName === 'a' && LINK.test(href)
    ? { href, target: '_blank', rel: 'noopener noreferrer' }
    : {};
}
