import { callApi } from './api.ts';
import { forgetDevice } from './device-key.ts';

/** Ends this browser's access. The key is forgotten even if the server is away. */
export async function signOut(): Promise<void> {
  await callApi('POST', '/logout');
  await forgetDevice();
  location.assign('/');
}
