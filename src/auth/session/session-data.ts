import 'express-session';

declare module 'express-session' {
  /** What the encrypted cookie holds (specification, "Authentication" 2) besides its expiry. */
  interface SessionData {
    authenticated: true;
    user_id: string;
    epoch: number;
  }
}
