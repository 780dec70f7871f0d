// What an application of somebody else can ask for (ruling A20).

/** `offline_access`: also while the person is away. */
export const OAUTH_SCOPES = [
  'openid',
  'profile',
  'email',
  'offline_access',
  'signals:read',
  'strategies:read',
  'signals:write',
] as const
export type OauthScope = (typeof OAUTH_SCOPES)[number]
