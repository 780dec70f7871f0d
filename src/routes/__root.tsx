// The root of all routes: what stands around every page, and the screen for what no route could catch.
import { createRootRoute, Outlet } from '@tanstack/react-router'
import { AppError } from '#features/shell/AppError.tsx'
import { Frame } from '#features/shell/Frame.tsx'
import { NotFound } from '#features/shell/NotFound.tsx'

export const Route = createRootRoute({
  component: () => (
    <Frame>
      <Outlet />
    </Frame>
  ),
  notFoundComponent: NotFound,
  errorComponent: AppError,
})
