import qrcode from 'qrcode-generator';

/** A QR code for a template, which draws it without script or style. */
export interface QrPicture {
  /** Width in modules, including the quiet zone. */
  readonly size: number;
  /** The dark modules as an SVG path. */
  readonly path: string;
}

/** ISO/IEC 18004 requires four light modules around the code. */
const QUIET_ZONE = 4;

/** Returns the QR code of a text. The text is ASCII, as addresses are. */
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
