// The root of all routes: what stands around every page, and the screen for what no route could catch.
import { createRootRoute, Outlet } from '@tanstack/react-router'
import { AppError, NotFound } from '#features/shell/AppError.tsx'
import { Frame } from '#features/shell/Frame.tsx'

export const Route = createRootRoute({
  component: () => (
    <Frame>
      <Outlet />
    </Frame>
  ),
  notFoundComponent: NotFound,
  errorComponent: AppError,
})
