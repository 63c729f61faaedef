/** What other features may show of roles; apart from `public.ts`, which the first screen loads. */
export { RoleDifference } from './roles/RoleDifference.tsx'
