import createClient from "openapi-fetch";

export const register = (baseUrl, options = {}) => createClient({ ...options, baseUrl });
