/** What an audit entry records. The values are stored, so a value never changes. */
export enum AuditKind {
  Login = 'login',
  LoginRefused = 'login_refused',
  /** The user has proved the identity again, before a change of security. */
  LoginConfirmed = 'login_confirmed',
  AccountCreated = 'account_created',
  AccountDeleted = 'account_deleted',
  PasswordChanged = 'password_changed',
  /** The user has set a new password with a reset link. */
  PasswordReset = 'password_reset',
  /** An administrator has created a reset link for the user. */
  ResetLinkCreated = 'reset_link_created',
  SecondFactorOn = 'second_factor_on',
  SecondFactorOff = 'second_factor_off',
  RecoveryCodesRenewed = 'recovery_codes_renewed',
  RecoveryCodeUsed = 'recovery_code_used',
  PasskeyAdded = 'passkey_added',
  PasskeyRemoved = 'passkey_removed',
  /** A login with a passkey, alone or after the password. */
  PasskeyLogin = 'passkey_login',
  /** A passkey was refused because its counter has not grown, so it may have been copied. */
  PasskeyRefused = 'passkey_refused',
  EmailChangeRequested = 'email_change_requested',
  EmailChanged = 'email_changed',
  EmailVerified = 'email_verified',
  KeyCreated = 'key_created',
  KeyChanged = 'key_changed',
  KeyDisabled = 'key_disabled',
  KeyEnabled = 'key_enabled',
  KeyRevoked = 'key_revoked',
  FeedCreated = 'feed_created',
  FeedRevoked = 'feed_revoked',
  ConsentGiven = 'consent_given',
  ConsentRevoked = 'consent_revoked',
  Exported = 'exported',
  ImportUndone = 'import_undone',
  UserDisabled = 'user_disabled',
  UserEnabled = 'user_enabled',
  AdministratorAppointed = 'administrator_appointed',
  AdministratorDismissed = 'administrator_dismissed',
  SignedOut = 'signed_out',
  InvitationCreated = 'invitation_created',
  InvitationRevoked = 'invitation_revoked',
  /** A refresh token that was already exchanged came back, so all sessions of the user were ended. */
  RefreshTokenReused = 'refresh_token_reused',
}

/** Who has caused an audit entry. The values are stored, so a value never changes. */
export enum Actor {
  /** The user of the account. */
  User = 'user',
  Administrator = 'administrator',
  /** The operator of the service, on the command line. */
  Operator = 'operator',
  /** A person whose login was refused. */
  Visitor = 'visitor',
  /** The service itself. */
  Service = 'service',
}
