// SPDX-License-Identifier: Apache-2.0
import { show } from '../lib/show';
import '../theme.css';
import ApplicationPage from './ApplicationPage.svelte';

show(ApplicationPage);
