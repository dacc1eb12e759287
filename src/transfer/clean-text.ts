/** Text that PostgreSQL keeps as it is: without U+0000 and lone surrogates. */
export const clean = (text: string): string => text.replaceAll('\u0000', '').toWellFormed();
