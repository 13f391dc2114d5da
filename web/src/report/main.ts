// SPDX-License-Identifier: Apache-2.0
import { show } from '../lib/show';
import '../theme.css';
import Report from './Report.svelte';

show(Report);
