import { decodeHTMLAttribute } from 'entities';

import type { RawAttributes } from '../markup/head-reader.js';

const EMOJI =
  /(?:^|[\s_-])(?:emojis?|emojione|emoticons?|smil(?:ey|ie)s?|twemoji|joypixels|noto-emoji)(?:$|[\s_-])/iu;
const EMOJI_FOLDER = /\/(?:[\w.-]*emojis?|twemoji|smil(?:ey|ie)s?|emoticons?)\//iu;
/** The maximum width and height in pixels of a picture that is as high as a line of text. */
const LINE_HEIGHT = 32;
const LONGEST = 30;
/** Matches alternative texts that only describe the drawing, and not its meaning. */
const DRAWING =
  /\b(?:icons?|logo|avatar|arrow|bullet|spacer|image|photo|picture|thumbnail)\b|^(?:img|pic)\d*$/iu;

/**
 * Returns the text that a small picture in a line of text represents: an emoji, a smiley, or a sign such as a check mark.
 * Returns an empty text for other pictures.
 * @param isInText - true if the picture is in a paragraph, list item, heading or table cell, and outside of links.
 */
export function pictureText(attributes: RawAttributes, isInText: () => boolean): string {
  const alt = decodeHTMLAttribute(attributes.get('alt') ?? '').trim();
  if (alt === '' || alt.length > LONGEST || attributes.has('hidden')) {
    return '';
  }
  const isSign = (): boolean => isSmall(attributes) && !DRAWING.test(alt) && isInText();
  return isEmoji(attributes) || isSign() ? alt : '';
}

const isEmoji = (attributes: RawAttributes): boolean =>
  EMOJI.test(attributes.get('class') ?? '') || EMOJI_FOLDER.test(attributes.get('src') ?? '');

const HEIGHT_IN_STYLE = /(?:^|[;\s])height\s*:\s*(?:1(?:\.\d+)?em|1[0-9]px|2[0-9]px)/iu;

function isSmall(attributes: RawAttributes): boolean {
  const sizes = ['width', 'height'].map(
    (name) => /^\d{1,4}/u.exec(attributes.get(name) ?? '')?.[0],
  );
  const isStated = sizes.every((size) => size !== undefined && Number(size) <= LINE_HEIGHT);
  return isStated || HEIGHT_IN_STYLE.test(attributes.get('style') ?? '');
}
