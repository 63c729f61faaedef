/** What the frame shows of one's own account. */
export { AccountItems } from './account/AccountItems.tsx'
export { AccountOverlays } from './account/AccountOverlays.tsx'
