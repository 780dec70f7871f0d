// The root of all routes: what stands around every page, the not-found page and the error fallback of each route.
import { createRootRoute, Outlet } from '@tanstack/react-router'
import { Frame } from '#features/shell/Frame.tsx'
import { NotFound } from '#features/shell/NotFound.tsx'
import { RouteError } from '#features/shell/RouteError.tsx'

export const Route = createRootRoute({
  component: () => (
    <Frame>
      <Outlet />
    </Frame>
  ),
  notFoundComponent: NotFound,
  errorComponent: RouteError,
})
