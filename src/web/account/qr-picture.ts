import qrcode from 'qrcode-generator';

/** A QR code as values for a template. The template draws the code as SVG, without scripts or styles. */
export interface QrPicture {
  /** The width of the QR code in modules (squares), including the margin. */
  readonly size: number;
  /** The dark modules of the QR code, as an SVG path. */
  readonly path: string;
}

/** The width of the light margin around the QR code in modules, as ISO/IEC 18004 requires. */
const QUIET_ZONE = 4;

/** Returns the QR code of a text. The text must be ASCII. */
export function qrPictureOf(text: string): QrPicture {
  const code = qrcode(0, 'M');
  code.addData(text);
  code.make();
  const modules = code.getModuleCount();
  const rows = Array.from({ length: modules }, (_, row) =>
    Array.from({ length: modules }, (__, column) =>
      code.isDark(row, column) ? `M${column + QUIET_ZONE} ${row + QUIET_ZONE}h1v1h-1z` : '',
    ).join(''),
  );
  return { size: modules + 2 * QUIET_ZONE, path: rows.join('') };
}
