// The two demonstrations that show the same parts, as one file of the built application: nothing of it is kept for offline use.
export { ComponentDemoPage } from './ComponentDemoPage.tsx'
export { FormControlsPage } from './FormControlsPage.tsx'
