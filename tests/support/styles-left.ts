// Which sheets are for everybody, and what of the old way is left: three lists that only get shorter.

/** Stylesheets over 300 lines that are not yet parted. This list only gets shorter. */
export const TOO_LONG = [
  'src/features/organization/manage/manage.css',
  'src/features/strategy/detail/overview/overview.css',
]
/** Sheets for everybody: the values, the reset, the type and the small words of layout. */
export const EVERYBODY = ['src/ui/base.css', 'src/ui/text.css', 'src/ui/tokens.css']
/** Sheets with names for everybody that are not yet modules. This list only gets shorter: new styles are modules (docs/adding.md). */
export const NOT_YET = [
  'src/features/dashboard/dashboard.css',
  'src/features/demo/gallery/gallery.css',
  'src/features/organization/manage/manage.css',
  'src/features/organization/organization.css',
  'src/features/shell/toasts.css',
  'src/features/signal/list.css',
  'src/features/strategy/connect/connect.css',
  'src/features/strategy/create.css',
  'src/features/strategy/detail/detail.css',
  'src/features/strategy/detail/overview/overview.css',
  'src/features/strategy/detail/trades/trades.css',
  'src/features/strategy/detail/webhook/mapping/mapping.css',
  'src/features/strategy/detail/webhook/replay/replay.css',
  'src/features/strategy/detail/webhook/webhook.css',
  'src/features/strategy/form/form.css',
  'src/features/strategy/list/list.css',
  'src/features/strategy/manual/manual.css',
  'src/features/strategy/sample/sample.css',
  'src/screen/top.css',
  'src/ui/button.css',
  'src/ui/card.css',
  'src/ui/field.css',
  'src/ui/mantine/mantine.css',
  'src/ui/mantine/toast.css',
  'src/ui/menu.css',
  'src/ui/overlay.css',
  'src/ui/page.css',
  'src/ui/signal-wide.css',
  'src/ui/signal.css',
  'src/ui/skeleton-dashboard.css',
  'src/ui/skeleton.css',
  'src/ui/strategy.css',
  'src/ui/tooltip.css',
]
/** Modules that still restyle what belongs to another, and how often. This list only gets shorter: variants are props. */
export const RESTYLES: Record<string, number> = {
  'src/features/shell/UserMenu.module.css': 1,
  'src/features/signal/SignalDrawer.module.css': 5,
  'src/features/signal/record/Hero.module.css': 3,
  'src/ui/Gate.module.css': 3,
  'src/features/landing/LandingPage.module.css': 2,
}
