/** Rooms of those who look at the services of apps, or of EMI apps. */
export const SERVICE_ROOMS = ['menu:three_config', 'menu:three_configure'] as const
