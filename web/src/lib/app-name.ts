/** The product's name, as every text says it. */
export const appName: string = import.meta.env.VITE_APP_NAME
