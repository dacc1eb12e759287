import { IsString } from 'class-validator';

/** Proof 1 of POST /login. Any text will do here: what cannot be right is answered as what is wrong. */
export class LoginRequest {
  @IsString()
  email!: string;

  @IsString()
  password!: string;
}
