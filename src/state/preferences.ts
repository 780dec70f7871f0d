// What a person likes: theme, privacy mode, colours of up and down, how the strategy list looks (spec.md §3, ruling A23).
import { proxy } from 'valtio'
import { OUTBOX_SIGNAL_MOST_MS, OUTBOX_SIGNAL_MS } from '#contract/limits.ts'
import { KEYS, type StorageLike } from './storage.ts'

export type UiTheme = 'light' | 'dark' | 'system'
export interface StrategyListChoice {
  type: 'futures' | 'stock'
  view_mode: 'card' | 'table'
  sort?: string
  filters?: Record<string, string>
}

const LIST_DEFAULT: StrategyListChoice = { type: 'futures', view_mode: 'card' }

/** `theme_mode` is what is applied, `ui_theme` what was chosen. */
export const preferences = proxy<{
  ui_theme: UiTheme
  theme_mode: 'light' | 'dark'
  privacy: boolean
  up_colour: 'red' | 'green'
  strategy_list: StrategyListChoice
  visited_strategies: boolean
  /** Keys that act without Ctrl or Alt (WCAG 2.1.4 wants a way to turn them off). */
  single_keys: boolean
  /** How long a signal that waits goes out by itself, ms; then it asks. */
  signal_lasts_ms: number
}>({
  ui_theme: 'light',
  theme_mode: 'light',
  privacy: false,
  up_colour: 'red',
  strategy_list: { ...LIST_DEFAULT },
  visited_strategies: false,
  single_keys: true,
  signal_lasts_ms: OUTBOX_SIGNAL_MS,
})

export interface Preferences {
  /** Reads everything; call once before the first render and again after a `storage` event. */
  start(): void
  set_theme(theme: UiTheme): void
  /** The system's theme changed: applies it when the choice is `system`. */
  system_changed(): void
  set_privacy(on: boolean): void
  set_up_colour(colour: 'red' | 'green'): void
  set_strategy_list(change: Partial<StrategyListChoice>): void
  visit_strategies(): void
  set_single_keys(on: boolean): void
  set_signal_lasts(ms: number): void
}

/** `prefers_dark` is the system's wish. */
export function createPreferences(storage: StorageLike, prefers_dark: () => boolean): Preferences {
  const apply = () => {
    const { ui_theme } = preferences
    preferences.theme_mode = ui_theme === 'system' ? (prefers_dark() ? 'dark' : 'light') : ui_theme
  }
  return {
    start() {
      const theme = storage.getItem(KEYS.ui_theme) ?? storage.getItem(KEYS.theme_mode)
      preferences.ui_theme = theme === 'dark' || theme === 'system' ? theme : 'light'
      apply()
      preferences.privacy = (storage.getItem(KEYS.privacy) ?? 'false') !== 'false'
      preferences.up_colour = storage.getItem(KEYS.up_colour) === 'green' ? 'green' : 'red'
      preferences.strategy_list = readList(storage.getItem(KEYS.strategy_list))
      preferences.visited_strategies = storage.getItem(KEYS.visited_strategies) === '1'
      preferences.single_keys = storage.getItem(KEYS.single_keys) !== 'off'
      preferences.signal_lasts_ms = readLasts(storage.getItem(KEYS.signal_lasts))
    },
    set_theme(theme) {
      preferences.ui_theme = theme
      apply()
      storage.setItem(KEYS.ui_theme, theme)
      storage.setItem(KEYS.theme_mode, preferences.theme_mode)
    },
    system_changed() {
      if (preferences.ui_theme !== 'system') return
      apply()
      storage.setItem(KEYS.theme_mode, preferences.theme_mode)
    },
    set_privacy(on) {
      preferences.privacy = on
      storage.setItem(KEYS.privacy, String(on))
    },
    set_up_colour(colour) {
      preferences.up_colour = colour
      storage.setItem(KEYS.up_colour, colour)
    },
    set_strategy_list(change) {
      preferences.strategy_list = { ...preferences.strategy_list, ...change }
      storage.setItem(KEYS.strategy_list, JSON.stringify(preferences.strategy_list))
    },
    visit_strategies() {
      preferences.visited_strategies = true
      storage.setItem(KEYS.visited_strategies, '1')
    },
    set_signal_lasts(ms) {
      preferences.signal_lasts_ms = ms
      storage.setItem(KEYS.signal_lasts, String(ms))
    },
    set_single_keys(on) {
      preferences.single_keys = on
      storage.setItem(KEYS.single_keys, on ? 'on' : 'off')
    },
  }
}

function readList(text: string | null): StrategyListChoice {
  if (text === null) return { ...LIST_DEFAULT }
  try {
    const kept: unknown = JSON.parse(text)
    if (typeof kept !== 'object' || kept === null) return { ...LIST_DEFAULT }
    const choice: StrategyListChoice = { ...LIST_DEFAULT }
    if ('type' in kept && kept.type === 'stock') choice.type = 'stock'
    if ('view_mode' in kept && kept.view_mode === 'table') choice.view_mode = 'table'
    if ('sort' in kept && typeof kept.sort === 'string') choice.sort = kept.sort
    if ('filters' in kept && typeof kept.filters === 'object' && kept.filters !== null) {
      choice.filters = Object.fromEntries(
        Object.entries(kept.filters).filter(([, value]) => typeof value === 'string'),
      )
    }
    return choice
  } catch {
    return { ...LIST_DEFAULT } // damaged: the defaults are as good
  }
}

function readLasts(text: string | null): number {
  const ms = Number(text)
  return ms >= OUTBOX_SIGNAL_MS && ms <= OUTBOX_SIGNAL_MOST_MS ? ms : OUTBOX_SIGNAL_MS
}
