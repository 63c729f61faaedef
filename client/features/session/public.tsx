/** The parts of the own account that the frame shows. */
export { AccountItems } from './account/AccountItems.tsx'
export { AccountOverlays } from './account/AccountOverlays.tsx'
