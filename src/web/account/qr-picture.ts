import qrcode from 'qrcode-generator';

/** A QR code as a template draws it, without script or style. */
export interface QrPicture {
  /** Modules from side to side, with the quiet zone. */
  readonly size: number;
  /** The dark modules, as the path of an SVG. */
  readonly path: string;
}

/** ISO/IEC 18004 wants four light modules around the code. */
const QUIET_ZONE = 4;

/** The text is ASCII, as addresses are. */
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
