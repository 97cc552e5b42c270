// SPDX-License-Identifier: Apache-2.0
// Writes tests/data/java-zones.tsv: what java.time says about time zones.
//   java tests/tools/JavaZones.java > tests/data/java-zones.tsv
// Columns: zone, UTC ms, offset in seconds; or zone, "local", local ms (no zone), UTC ms.
import java.time.*;
import java.time.zone.*;
import java.util.*;

public class JavaZones {
    public static void main(String[] args) {
        System.out.println("# Made by tests/tools/JavaZones.java with Java " + Runtime.version().feature());
        Random r = new Random(20240517);
        String[] zones = {"UTC", "GMT+08:00", "-03:30", "Asia/Shanghai", "Asia/Kolkata", "Asia/Kathmandu", "Asia/Tokyo", "America/New_York", "America/Los_Angeles",
            "America/Sao_Paulo", "Europe/London", "Europe/Berlin", "Europe/Moscow", "Australia/Sydney", "Australia/Lord_Howe", "Pacific/Apia", "Africa/Cairo", "America/St_Johns"};
        for (String z : zones) {
            ZoneId id = ZoneId.of(z);
            for (int i = 0; i < 40; i++) {
                long ms = (long) (r.nextDouble() * 6311433600000L) - 2208988800000L; // 1900..2100
                System.out.println(z + "\t" + ms + "\t" + id.getRules().getOffset(Instant.ofEpochMilli(ms)).getTotalSeconds());
                local(z, id, ms);
            }
            List<ZoneOffsetTransition> all = new ArrayList<>(id.getRules().getTransitions());
            for (int y = 2010; y < 2045; y += 7)
                for (ZoneOffsetTransitionRule rule : id.getRules().getTransitionRules()) all.add(rule.createTransition(y));
            for (ZoneOffsetTransition t : all) {
                long s = t.toEpochSecond();
                if (s < -2208988800L) continue;
                for (long d : new long[] {-1, 0, 1})
                    System.out.println(z + "\t" + (s + d) * 1000 + "\t" + id.getRules().getOffset(Instant.ofEpochSecond(s + d)).getTotalSeconds());
                long before = t.getDateTimeBefore().toEpochSecond(ZoneOffset.UTC), after = t.getDateTimeAfter().toEpochSecond(ZoneOffset.UTC);
                for (long l : new long[] {before - 1, before, (before + after) / 2, after, after + 1}) local(z, id, l * 1000);
            }
        }
    }

    static void local(String z, ZoneId id, long ms) {
        LocalDateTime l = LocalDateTime.ofEpochSecond(Math.floorDiv(ms, 1000L), (int) Math.floorMod(ms, 1000L) * 1000000, ZoneOffset.UTC);
        System.out.println(z + "\tlocal\t" + ms + "\t" + l.atZone(id).toInstant().toEpochMilli());
    }
}
