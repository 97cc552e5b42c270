// SPDX-License-Identifier: Apache-2.0
// Writes tests/data/java-numbers.tsv: bits and Java's text of doubles and floats. Run with Java 17, which Flink 2.3 runs on:
//   java tests/tools/JavaNumbers.java > tests/data/java-numbers.tsv
import java.util.Random;

public class JavaNumbers {
    public static void main(String[] args) {
        Random r = new Random(20240517);
        System.out.println("# Made by tests/tools/JavaNumbers.java with Java " + Runtime.version().feature());
        String[] known = {"2e23", "1e23", "1e21", "1e22", "4.9e-324", "2.2250738585072014e-308", "1.7976931348623157e308", "9007199254740993", "123456789012345680",
            "0.001", "0.00099", "9999999.999", "1e7", "0.1", "0.3", "1e-3", "5e-324", "2e-44", "1.0e10"};
        for (String s : known) { put(Double.parseDouble(s)); put(Float.parseFloat(s)); }
        for (int i = -1074; i < 1024; i += 3) put(Math.scalb(1.0, i));
        for (int i = -149; i < 128; i++) put(Math.scalb(1f, i));
        for (int i = 0; i < 600; i++) {
            put(Double.longBitsToDouble(r.nextLong()));
            put((double) r.nextLong());
            put(r.nextInt(100000000) / 1000.0);
            put(r.nextDouble() * Math.pow(10, r.nextInt(40) - 20));
            put(Double.parseDouble((1 + r.nextInt(99)) + "e" + (r.nextInt(600) - 310)));
            put(Float.intBitsToFloat(r.nextInt()));
            put((float) r.nextLong());
            put(r.nextInt(100000) / 100f);
        }
    }

    static void put(double d) {
        if (d == d) System.out.println("d\t" + Long.toHexString(Double.doubleToRawLongBits(d)) + "\t" + d);
    }

    static void put(float f) {
        if (f == f) System.out.println("f\t" + Integer.toHexString(Float.floatToRawIntBits(f)) + "\t" + f);
    }
}
