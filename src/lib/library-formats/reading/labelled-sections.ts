/** A part of a text that begins with a label such as `Note:`. */
export interface Section {
  /** The label of the section in lower case. Empty for the text before the first label. */
  readonly label: string;
  readonly text: string;
}

/**
 * Splits a text into sections that begin with labels such as `Note:`. The text before the first label is a section too.
 * Drops sections without text.
 * @param label - a global pattern for the labels. The only group of the pattern matches the name of the label.
 */
export function labelledSections(text: string, label: RegExp): readonly Section[] {
  const [before = '', ...others] = text.replaceAll(/\r\n?/g, '\n').split(label);
  const sections = [{ label: '', text: before.trim() }];
  for (let at = 0; at < others.length; at += 2) {
    sections.push({
      label: (others[at] ?? '').toLowerCase(),
      text: (others[at + 1] ?? '').trim(),
    });
  }
  return sections.filter((section) => section.text !== '');
}
