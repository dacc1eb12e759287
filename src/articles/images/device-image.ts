/** A picture that any reader can show. */
export interface DeviceImage {
  readonly type: 'image/jpeg' | 'image/png';
  readonly bytes: Buffer;
}

/** Every PNG begins so, and no JPEG. */
const PNG_START = 0x89;

/** What was converted earlier, by its first byte. */
export const deviceImageOf = (bytes: Buffer): DeviceImage => ({
  type: bytes[0] === PNG_START ? 'image/png' : 'image/jpeg',
  bytes,
});
