// Which permission every call takes, written down a second time from operations.md (and ruling A20 for applications' scopes).
const CALLS: Record<string, string> = {
  public:
    'session.login session.register session.forget-password session.check-reset-token session.reset-password ' +
    'contact.list sso.providers sso.token-login sso.link invitation.get telegram.updates line.updates',
  login:
    'session.renew session.prolong session.logout session.list session.end session.update-password profile.get profile.update ' +
    'profile.update-name profile.avatar profile.update-email profile.send-verification profile.verify-email ' +
    'profile.delete profile.export profile.usage organization.mine membership.leave invitation.mine invitation.accept ' +
    'invitation.decline join.by-code join.accept-link join.mine join.cancel oauth.interaction oauth.decide oauth.grants oauth.revoke market.products market.calendar market.tables market.symbols ' +
    'event.stream dashboard.get notification-setting.get notification-setting.update notification.list notification.read ' +
    'notification-delivery.list notification-delivery.resend notification-channel.list notification-channel.update ' +
    'notification-channel.delete notification-channel.self-test signal.receipts push.key push.list push.subscribe ' +
    'push.unsubscribe push.delete push.self-test telegram.bind telegram.binding telegram.unbind telegram.unmute telegram.self-test ' +
    'line.bind line.binding line.unbind announcement.tags announcement.read',
  'my-announcements:view': 'announcement.list announcement.get',
  'organization:create': 'organization.create',
  'organization:view': 'organization.get membership.admins organization.strategies',
  'organization:edit': 'organization.update organization.logo',
  'organization:delete': 'organization.delete',
  'organization:manage':
    'membership.list membership.update membership.update-many membership.remove invitation.create invitation.list ' +
    'invitation.resend invitation.cancel join.rotate-code join.links join.create-link join.update-link join.list ' +
    'join.review join.review-many organization.usage organization.access-log group.matrix announcement.managed announcement.create announcement.update ' +
    'announcement.delete',
  'group:view': 'group.list group.get group.members group.strategies',
  'group:create': 'group.create group.copy',
  'group:edit':
    'group.update group.add-members group.update-member group.update-members group.remove-member group.set-strategies',
  'group:delete': 'group.delete',
  'strategy:view':
    'strategy.list strategy.get strategy.notify strategy.statistics strategy.stock-statistics signal.feed signal.get ' +
    'stock-signal-setting.list stock-signal-setting.create stock-signal-setting.update stock-signal-setting.delete stock-signal-setting.order stock-signal-setting.test ' +
    'signal.of-strategy signal.stocks-of-strategy signal.of-webhook signal.chain signal.export strategy.image strategy.latency',
  'strategy:create': 'strategy.create strategy.duplicate strategy.upload-image',
  'strategy:edit':
    'strategy.update strategy.settle-expiry strategy.answer-gap webhook.list webhook.of-strategy webhook.create webhook.update webhook.set-status webhook.rotate ' +
    'webhook.delete webhook.bridge webhook.test webhook.learn webhook.preview webhook.impact webhook.formats webhook.confirm-format webhook.update-format webhook.delete-format ' +
    'webhook.deliveries webhook.replay webhook.replays signal.void signal.correct ' +
    'signal.manual-futures signal.manual-stock original-data.list original-data.import original-data.reprocess original-data.delete-batch',
  'strategy:delete': 'strategy.delete',
}

/** What applications of others may do with `signals:read`, `strategies:read` or `signals:write`; everything else is closed to them. */
export const FOR_APPLICATIONS: ReadonlySet<string> = new Set(
  'signal.feed signal.get event.stream strategy.list strategy.get strategy.statistics strategy.stock-statistics stock-signal-setting.list stock-signal-setting.test signal.manual-futures signal.manual-stock'.split(
    ' ',
  ),
)

/** Reading calls without a permission of the organization that an admin may ask as a member sees them (docs/decisions/access.md). */
export const AS_MEMBER: ReadonlySet<string> = new Set(
  'dashboard.get market.products market.calendar market.tables market.symbols announcement.list announcement.get announcement.tags'.split(
    ' ',
  ),
)

/** Call → `public`, `login` or the permission. */
export const WHO: ReadonlyMap<string, string> = new Map(
  Object.entries(CALLS).flatMap(([who, names]) => names.split(' ').map((name) => [name, who] as const)),
)
