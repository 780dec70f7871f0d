// The list of all endpoints: what the server mounts, the document prints and the access matrix tries.
import { getDashboard } from './dashboard.ts'
import type { Endpoint } from './endpoint.ts'
import { eventStream } from './events.ts'
import { getCalendar, listProducts } from './market.ts'
import { decideInteraction, listGrants, readInteraction, revokeGrant } from './oauth.ts'
import { getProfile, sendVerification, updateName, updateProfile, verifyEmail } from './profile.ts'
import { endSession, listSessions, login, logout, register, renewToken } from './session.ts'
import {
  correctSignal,
  exportSignals,
  getSignal,
  listStrategySignals,
  listWebhookSignals,
  signalFeed,
  strategyChain,
  voidSignal,
} from './signal.ts'
import { getStatistics } from './statistics.ts'
import {
  createStrategy,
  deleteStrategy,
  getStrategy,
  listStrategies,
  updateStrategy,
  updateStrategyNotify,
} from './strategy.ts'
import {
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listStrategyWebhooks,
  listWebhooks,
  replayDelivery,
  rotateWebhook,
  setWebhookStatus,
  testWebhook,
  updateWebhook,
} from './webhook.ts'

export const ENDPOINTS: readonly Endpoint[] = [
  login,
  register,
  renewToken,
  logout,
  listSessions,
  endSession,
  getProfile,
  updateProfile,
  updateName,
  sendVerification,
  verifyEmail,
  listStrategies,
  getStrategy,
  createStrategy,
  updateStrategy,
  deleteStrategy,
  updateStrategyNotify,
  getStatistics,
  listWebhooks,
  listStrategyWebhooks,
  createWebhook,
  updateWebhook,
  setWebhookStatus,
  rotateWebhook,
  deleteWebhook,
  testWebhook,
  listDeliveries,
  replayDelivery,
  signalFeed,
  getSignal,
  listStrategySignals,
  listWebhookSignals,
  voidSignal,
  correctSignal,
  strategyChain,
  exportSignals,
  listProducts,
  getCalendar,
  getDashboard,
  eventStream,
  readInteraction,
  decideInteraction,
  listGrants,
  revokeGrant,
]
